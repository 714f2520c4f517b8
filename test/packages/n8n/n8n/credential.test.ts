import { describe, expect, it } from '@jest/globals';
import { withKey } from '../../../../packages/n8n/engine/own-address.ts';

const credential = { url: 'https://engine.example/', apiKey: 'eng_session_key' };

describe('the credential for n8n', () => {
  it.each([
    { url: 'https://engine.example/api/v1/sessions' },
    { url: '/api/v1/sessions', baseURL: 'https://engine.example' },
    { url: '/api/v1/sessions' },
    { url: 'https://ENGINE.example:443/api/v1/sessions' },
  ])('adds the key to requests of its own engine: $url $baseURL', (request) => {
    const headers = { accept: 'application/json' };
    expect(withKey(credential, { ...request, headers })).toEqual({
      ...request,
      headers: { ...headers, 'X-API-Key': credential.apiKey },
    });
  });

  it.each([
    { url: 'https://evil.example/api/v1/sessions' },
    { url: 'http://engine.example/api/v1/sessions' },
    { url: 'https://engine.example:8443/' },
    { url: 'https://engine.example@evil.example/' },
    { url: 'https://engine.example.evil.example/' },
    { url: '//evil.example/x', baseURL: 'https://engine.example' },
    { url: '/x', baseURL: 'https://evil.example' },
    { url: 'not a url at all', baseURL: 'nor this' },
  ])('gives no other address the key: $url $baseURL', (request) => {
    expect(() => withKey(credential, request)).toThrow(/only to https:\/\/engine\.example/);
  });
});
