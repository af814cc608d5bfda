package bench

import (
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"syscall"
	"time"
)

const controlPatience = 15 * time.Second

// Request is what another cfslab process asks of a running lab. Exactly one field is set.
type Request struct {
	Set   *Change `json:"set,omitempty"`
	Truth bool    `json:"truth,omitempty"`
}

// Reply is the lab's answer.
type Reply struct {
	Error string `json:"error,omitempty"`
	Truth *Truth `json:"truth,omitempty"`
}

// call is a request on its way through the lab's own loop.
type call struct {
	request Request
	reply   chan Reply
}

// controlAddress is a socket in the abstract namespace: it belongs to the folder, and the kernel
// removes it with the lab, however the lab ends.
func controlAddress(folderPath string) *net.UnixAddr {
	return &net.UnixAddr{Name: "@cfslab/" + folderPath, Net: "unix"}
}

// listenControl takes requests and hands them to the lab's loop, one at a time.
func listenControl(folderPath string, calls chan<- call) (*net.UnixListener, error) {
	listener, err := net.ListenUnix("unix", controlAddress(folderPath))
	if err != nil {
		return nil, fmt.Errorf("control socket: %w", err)
	}
	go func() {
		for {
			conn, err := listener.AcceptUnix()
			if err != nil {
				return
			}
			go answerControl(conn, calls)
		}
	}()
	return listener, nil
}

func answerControl(conn *net.UnixConn, calls chan<- call) {
	defer conn.Close()
	if err := conn.SetDeadline(time.Now().Add(controlPatience)); err != nil {
		return
	}
	reply := Reply{Error: "only the user who runs the lab may change it"}
	if sameUser(conn) {
		var request Request
		if err := json.NewDecoder(conn).Decode(&request); err != nil {
			reply = Reply{Error: "no request: " + err.Error()}
		} else {
			pending := call{request: request, reply: make(chan Reply, 1)}
			select {
			case calls <- pending:
				reply = <-pending.reply
			case <-time.After(controlPatience):
				reply = Reply{Error: "the lab is ending and takes no more requests"}
			}
		}
	}
	_ = json.NewEncoder(conn).Encode(reply)
}

// sameUser asks the kernel who is at the other end: an abstract socket has no file permissions.
func sameUser(conn *net.UnixConn) bool {
	raw, err := conn.SyscallConn()
	if err != nil {
		return false
	}
	var peer *syscall.Ucred
	var peerErr error
	if err := raw.Control(func(fd uintptr) {
		peer, peerErr = syscall.GetsockoptUcred(int(fd), syscall.SOL_SOCKET, syscall.SO_PEERCRED)
	}); err != nil || peerErr != nil {
		return false
	}
	return peer.Uid == 0 || int(peer.Uid) == os.Getuid()
}

// Ask sends a request to the lab that runs in a folder and waits for the answer.
func Ask(folderPath string, request Request) (Reply, error) {
	conn, err := net.DialUnix("unix", nil, controlAddress(folderPath))
	if err != nil {
		return Reply{}, fmt.Errorf("no lab runs in /%s; start one with cfslab run", folderPath)
	}
	defer conn.Close()
	if err := conn.SetDeadline(time.Now().Add(2 * controlPatience)); err != nil {
		return Reply{}, err
	}
	if err := json.NewEncoder(conn).Encode(request); err != nil {
		return Reply{}, err
	}
	var reply Reply
	if err := json.NewDecoder(conn).Decode(&reply); err != nil {
		return Reply{}, fmt.Errorf("the lab did not answer: %w", err)
	}
	if reply.Error != "" {
		return Reply{}, errors.New(reply.Error)
	}
	return reply, nil
}
