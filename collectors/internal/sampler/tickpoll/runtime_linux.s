// This empty file lets runtime_linux.go declare functions whose bodies are in the runtime.
