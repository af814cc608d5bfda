package naming

import (
	"errors"
	"fmt"

	"google.golang.org/protobuf/encoding/protowire"
)

// The messages of runtime.v1 as far as they matter here. Numbers are those of cri-api's api.proto:
//
//	ListPodSandboxResponse { repeated PodSandbox items = 1; }
//	PodSandbox             { string id = 1; PodSandboxMetadata metadata = 2; map labels = 5; map annotations = 6; }
//	PodSandboxMetadata     { string name = 1; string uid = 2; string namespace = 3; }
//	ListContainersResponse { repeated Container containers = 1; }
//	Container              { string id = 1; string pod_sandbox_id = 2; ContainerMetadata metadata = 3; map labels = 8; }
//	ContainerMetadata      { string name = 1; }
//	map entry              { string key = 1; string value = 2; }

type podSandbox struct {
	id, name, namespace string
	labels, annotations map[string]string
}

type podContainer struct {
	id, name, sandbox string
	labels            map[string]string
}

var errProtobuf = errors.New("malformed message")

// eachField calls visit for every length-delimited field of a message.
func eachField(message []byte, visit func(number protowire.Number, value []byte) error) error {
	for len(message) > 0 {
		number, kind, n := protowire.ConsumeTag(message)
		if n < 0 {
			return fmt.Errorf("%w: %w", errProtobuf, protowire.ParseError(n))
		}
		message = message[n:]
		if kind != protowire.BytesType {
			if n = protowire.ConsumeFieldValue(number, kind, message); n < 0 {
				return fmt.Errorf("%w: %w", errProtobuf, protowire.ParseError(n))
			}
			message = message[n:]
			continue
		}
		value, n := protowire.ConsumeBytes(message)
		if n < 0 {
			return fmt.Errorf("%w: %w", errProtobuf, protowire.ParseError(n))
		}
		message = message[n:]
		if err := visit(number, value); err != nil {
			return err
		}
	}
	return nil
}

// texts reads the string fields of a message by number.
func texts(message []byte, fields map[protowire.Number]*string) error {
	return eachField(message, func(number protowire.Number, value []byte) error {
		if to := fields[number]; to != nil {
			*to = string(value)
		}
		return nil
	})
}

// entry adds one entry of a map.
func entry(message []byte, to map[string]string) error {
	var key, value string
	if err := texts(message, map[protowire.Number]*string{1: &key, 2: &value}); err != nil {
		return err
	}
	to[key] = value
	return nil
}

func decodeSandboxes(message []byte) (map[string]podSandbox, error) {
	found := map[string]podSandbox{}
	return found, eachField(message, func(number protowire.Number, item []byte) error {
		if number != 1 {
			return nil
		}
		pod := podSandbox{labels: map[string]string{}, annotations: map[string]string{}}
		err := eachField(item, func(number protowire.Number, value []byte) error {
			switch number {
			case 1:
				pod.id = string(value)
			case 2:
				return texts(value, map[protowire.Number]*string{1: &pod.name, 3: &pod.namespace})
			case 5:
				return entry(value, pod.labels)
			case 6:
				return entry(value, pod.annotations)
			}
			return nil
		})
		found[pod.id] = pod
		return err
	})
}

func decodeContainers(message []byte) (map[string]podContainer, error) {
	found := map[string]podContainer{}
	return found, eachField(message, func(number protowire.Number, item []byte) error {
		if number != 1 {
			return nil
		}
		container := podContainer{labels: map[string]string{}}
		err := eachField(item, func(number protowire.Number, value []byte) error {
			switch number {
			case 1:
				container.id = string(value)
			case 2:
				container.sandbox = string(value)
			case 3:
				return texts(value, map[protowire.Number]*string{1: &container.name})
			case 8:
				return entry(value, container.labels)
			}
			return nil
		})
		found[container.id] = container
		return err
	})
}
