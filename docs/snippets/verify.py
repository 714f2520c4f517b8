import base64
import hashlib
import hmac
import json
import os
import sys
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

TOLERANCE_SECONDS = 300
# No event is larger. Without this limit, anyone could fill the memory before the signature is checked.
MAX_BYTES = 1_048_576


def is_genuine(secret, headers, body):
    """`body` must be the bytes as they arrived, not JSON that was parsed and written again."""
    timestamp = headers.get("webhook-timestamp", "")
    # A recorded request must expire.
    if not timestamp.isdecimal() or abs(time.time() - int(timestamp)) > TOLERANCE_SECONDS:
        return False
    key = base64.b64decode(secret[6:]) if secret.startswith("whsec_") else secret.encode()
    signed = f"{headers.get('webhook-id')}.{timestamp}.".encode() + body
    expected = "v1," + base64.b64encode(hmac.digest(key, signed, hashlib.sha256)).decode()
    # During a rotation there are two signatures: one must match.
    given = headers.get("webhook-signature", "").split()
    return any(hmac.compare_digest(signature.encode(), expected.encode()) for signature in given)


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        length = self.headers.get("content-length", "")
        body = self.rfile.read(int(length)) if length.isdecimal() and int(length) <= MAX_BYTES else b""
        genuine = is_genuine(os.environ["SECRET"], self.headers, body)
        # Here: store it under its webhook-id, once. Then respond, and do the work afterwards.
        self.send_response(204 if genuine else 401)
        self.end_headers()
        if not genuine:
            print("refused: the signature does not match SECRET. Paste the line that begins with eval, and start again", flush=True)
        else:
            event = json.loads(body)
            print(event["event"], event["metadata"]["eventId"], flush=True)

    def log_message(self, *_):
        pass


if __name__ == "__main__":
    if not os.environ.get("SECRET"):
        sys.exit("Set SECRET to the webhookSecret of the registration.")
    port = int(os.environ.get("RECEIVER_PORT", "4000"))
    try:
        server = ThreadingHTTPServer(("127.0.0.1", port), Receiver)
    except OSError as error:
        sys.exit(f"Port {port}: {error.strerror}. Set RECEIVER_PORT to another port in every terminal, or stop the receiver that uses it.")
    print(f"Listening on port {port}", flush=True)
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        pass
