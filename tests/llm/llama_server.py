"""llama.cpp's own server with a model file, until its standard input is closed: `llama_server.py MODEL.gguf TOKENS`.

In a process of its own, since it is foreign native code, and since one that hangs can be killed.
"""

import sys

import xllamacpp

parameters = xllamacpp.CommonParams()
parameters.model.path = sys.argv[1]
parameters.n_ctx = int(sys.argv[2])
parameters.hostnames = ["127.0.0.1"]
parameters.port = 0
parameters.n_parallel = 1
parameters.cpuparams.n_threads = 1
parameters.n_threads_http = 4
parameters.warmup = False
server = xllamacpp.Server(parameters)
print(server.listening_address, flush=True)
sys.stdin.read()
