<?php

const TOLERANCE_SECONDS = 300;
/** No event is larger. Without this limit, anyone could fill the memory before the signature is checked. */
const MAX_BYTES = 1048576;

/** $body must be the bytes as they arrived: file_get_contents('php://input'), not JSON that was parsed and written again. */
function is_genuine(string $secret, array $headers, string $body): bool
{
    $headers = array_change_key_case($headers, CASE_LOWER);
    $timestamp = $headers['webhook-timestamp'] ?? '';
    // A recorded request must expire.
    if (!ctype_digit($timestamp) || abs(time() - (int) $timestamp) > TOLERANCE_SECONDS) {
        return false;
    }
    $key = str_starts_with($secret, 'whsec_') ? base64_decode(substr($secret, 6)) : $secret;
    $signed = ($headers['webhook-id'] ?? '') . '.' . $timestamp . '.' . $body;
    $expected = 'v1,' . base64_encode(hash_hmac('sha256', $signed, $key, true));
    // During a rotation there are two signatures: one must match.
    foreach (explode(' ', $headers['webhook-signature'] ?? '') as $given) {
        if (hash_equals($expected, $given)) {
            return true;
        }
    }
    return false;
}

$body = file_get_contents('php://input', length: MAX_BYTES);
$secret = getenv('SECRET');
// Without a secret, anyone could sign with an empty key.
if ($secret === false || $secret === '') {
    http_response_code(500);
    exit('Set SECRET to the webhookSecret of the registration.');
}
if (!is_genuine($secret, getallheaders(), $body)) {
    http_response_code(401);
    exit;
}
// Here: store it under its webhook-id, once.
http_response_code(204);
