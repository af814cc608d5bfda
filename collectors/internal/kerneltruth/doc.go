// Package kerneltruth holds the tests that every back end must pass on every kernel: what its records
// say about real cgroups equals what the kernel's own files say, on v1 here and on v2 in a virtual
// machine (infra/v2). The files are read by the lab's parser, which shares no code with the samplers.
package kerneltruth
