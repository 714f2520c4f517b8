"""Asks an engine with the client that was made from its document, as somebody would who has nothing but that."""

import importlib
import inspect
import os
import pkgutil
import time

import engine_client.api
from engine_client import AuthenticatedClient
from engine_client.api.conversations import conversations_list, conversations_reply
from engine_client.api.messages import messages_read_status, messages_send
from engine_client.api.webhook_endpoints import webhook_endpoints_create
from engine_client.api.webhook_events import webhook_events_list
from engine_client.models import CreateWebhookEndpoint, Problem, ReplyToConversation, SendMessage, WebhookEventsListType

URL, KEY = os.environ["ENGINE_URL"], os.environ["ENGINE_KEY"]
TENANT, SESSION = os.environ["TENANT_ID"], os.environ["SESSION_ID"]
WITHIN_SECONDS = 30
# Its answer does not end.
ENDLESS = {"webhook_events_stream"}

client = AuthenticatedClient(
    base_url=URL, token=KEY, prefix="", auth_header_name="X-API-Key", raise_on_unexpected_status=True
)


def given(answer):
    """The answer, unless it is an error."""
    assert answer is not None and not isinstance(answer, Problem), answer
    return answer


def until(what, look):
    end = time.monotonic() + WITHIN_SECONDS
    while not (found := look()):
        assert time.monotonic() < end, f"Waited in vain for {what}."
        time.sleep(0.2)
    return found


# A send is made once, however often it is asked for, and its status says what becomes of it.
body = SendMessage(tenant_id=TENANT, to="+15550100020", text="Hello from Python")
sent = [given(messages_send.sync(client=client, body=body, idempotency_key="once")) for _ in range(2)]
assert sent[0].message_id == sent[1].message_id, sent
message_id, conversation_id = sent[0].message_id, sent[0].conversation_id
delivery = until(
    "the message to be read",
    lambda: (status := given(messages_read_status.sync(message_id, client=client))).status == "read" and status,
)
assert delivery.history[0].status == "queued", delivery

# A mistake is a problem with its code.
refused = messages_send.sync_detailed(client=client, body=SendMessage(tenant_id=TENANT, text="To nobody"))
assert refused.status_code == 422, refused
assert isinstance(refused.parsed, Problem) and refused.parsed.code == "recipient_required", refused.parsed

chats = given(conversations_list.sync(client=client, tenant_id=TENANT)).chats
assert conversation_id in [chat.conversation_id for chat in chats], chats
given(conversations_reply.sync(conversation_id, client=client, body=ReplyToConversation(text="Anything else?")))
endpoint = CreateWebhookEndpoint.from_dict({"url": "https://example.com/hook", "events": ["message"]})
given(webhook_endpoints_create.sync(client=client, body=endpoint))
acks = {"after": "start", "type_": WebhookEventsListType("message.ack")}
events = until("the acks", lambda: given(webhook_events_list.sync(client=client, **acks)).events)

# Everything that can be read with what is known by now, each answer as the document describes it.
known = {
    "tenant_id": TENANT,
    "conversation_id": conversation_id,
    "contact_id": sent[0].contact_id,
    "message_id": message_id,
    "event_id": events[0].id,
    "ref": sent[0].contact_id,
    "q": "Hello",
}
ids = {"sessions": SESSION, "webhook_events": events[0].id}
read = 0
for module in pkgutil.walk_packages(engine_client.api.__path__, "engine_client.api."):
    *_, group, name = module.name.split(".")
    if module.ispkg or name in ENDLESS:
        continue
    operation = importlib.import_module(module.name)
    if '"method": "get"' not in inspect.getsource(operation):
        continue
    have = {**known, **({"id": ids[group]} if group in ids else {})}
    wanted = inspect.signature(operation.sync_detailed).parameters.values()
    needed = [parameter.name for parameter in wanted if parameter.default is inspect.Parameter.empty]
    if not all(word == "client" or word in have for word in needed):
        continue
    words = {parameter.name: have[parameter.name] for parameter in wanted if parameter.name in have}
    answer = operation.sync_detailed(**words, client=client)
    # An operator's route or a missing object gives a problem.
    assert answer.parsed is not None and answer.status_code < 500, (name, answer)
    assert answer.status_code == 200 or isinstance(answer.parsed, Problem), (name, answer)
    read += answer.status_code == 200

assert read >= 30, f"Only {read} operations could be read."
print(f"A client in Python, made from the document, sent and replied, heard of it, and read {read} operations.")
