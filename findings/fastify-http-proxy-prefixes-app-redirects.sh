#!/usr/bin/env bash
# @fastify/http-proxy 11.6.3 puts its prefix before the redirect URI of a native app.
#
# oidc-provider answers an authorization request of an app that is registered with com.example.app:/callback, the kind of URI that
# RFC 8252, section 7.1, describes. The README of the proxy states that it adds the prefix when a request redirects to a relative path
# (internalRewriteLocationHeader, on by default). This URI is absolute (RFC 3986, section 4.3), so one expects it unchanged. The proxy
# takes everything that does not begin with http:// or https:// for a path of its upstream. The browser is therefore sent to an
# unknown page of the proxy and not back to the app: sign-in works for web clients, not for such apps, and no step reports an error.
#
# Seen: without the proxy, the answer begins with com.example.app:/callback?; through it, with /oidccom.example.app:/callback?. That
# of a web client, with https, is the same both ways.
# Needs Node 22 or later, npm and the npm registry. Fails if the behavior has changed.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"private":true,"type":"module"}' >package.json
npm install --silent --no-audit --no-fund --ignore-scripts @fastify/http-proxy@11.6.3 fastify@5.12.8 oidc-provider@9.13.3

cat >run.js <<'JS'
import proxy from '@fastify/http-proxy'
import Fastify from 'fastify'
import { Provider } from 'oidc-provider'

console.warn = console.info = () => undefined // The provider advises on its settings.
const redirects = { app: 'com.example.app:/callback', web: 'https://web.example.com/callback' }
const common = { token_endpoint_auth_method: 'none', response_types: ['code'], grant_types: ['authorization_code'] }
const clients = [
  { ...common, client_id: 'app', application_type: 'native', redirect_uris: [redirects.app] },
  { ...common, client_id: 'web', application_type: 'web', redirect_uris: [redirects.web] }
]
const provider = new Provider('http://localhost', { clients })
const upstream = provider.listen(0, '127.0.0.1')
await new Promise((resolve) => upstream.once('listening', resolve))
const origin = `http://127.0.0.1:${upstream.address().port}`
const front = Fastify()
await front.register(proxy, { upstream: origin, prefix: '/oidc' })
const proxied = await front.listen({ host: '127.0.0.1', port: 0 })

// An app asks first whether the user is signed in already. The provider answers login_required at once, without a page.
async function location(base, client_id) {
  const request = {
    client_id,
    redirect_uri: redirects[client_id],
    response_type: 'code',
    scope: 'openid',
    prompt: 'none',
    state: 'state',
    code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    code_challenge_method: 'S256'
  }
  const response = await fetch(`${base}/auth?${new URLSearchParams(request)}`, { redirect: 'manual' })
  const to = response.headers.get('location')
  console.error(`${client_id}, ${base === origin ? 'direct' : 'proxy'}: ${response.status} ${to}`)
  return to?.split('?')[0]
}

const isSame =
  (await location(origin, 'app')) === redirects.app &&
  (await location(`${proxied}/oidc`, 'app')) === `/oidc${redirects.app}` &&
  (await location(origin, 'web')) === redirects.web &&
  (await location(`${proxied}/oidc`, 'web')) === redirects.web
process.exit(isSame ? 0 : 1)
JS
echo "@fastify/http-proxy $(node -p 'require("@fastify/http-proxy/package.json").version')"
node run.js
