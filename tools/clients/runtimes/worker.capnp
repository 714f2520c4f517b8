using Workerd = import "/workerd/workerd.capnp";

const config :Workerd.Config = (
  services = [
    (name = "smoke", worker = (
      modules = [
        (name = "worker.mjs", esModule = embed "worker.mjs"),
        (name = "smoke.mjs", esModule = embed "smoke.mjs"),
        (name = "@messaging-engine/client", esModule = embed "node_modules/@messaging-engine/client/dist/index.js"),
      ],
      compatibilityDate = "2026-07-01",
    )),
    # The engine is on this machine, where workers may not go by themselves.
    (name = "internet", network = (allow = ["public", "private"])),
  ],
  sockets = [(name = "http", http = (), service = "smoke")],
);
