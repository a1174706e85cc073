#!/usr/bin/env bash
# @openauthjs/openauth 0.4.3 leaves token_type out of the response of its token endpoint.
#
# A client exchanges a code as the package's own guide describes it. RFC 6749, section 5.1, requires token_type in a successful
# response, and a client must not use a token whose type it does not know (section 7.1). Libraries that follow this, such as
# oauth4webapi, refuse the response, so that they cannot be used with a server that is otherwise a plain OAuth 2.0 server.
#
# Seen: the response to the code, and that to the refresh token, have access_token, expires_in and refresh_token, and nothing else.
# Needs Node 20 or later, npm and the npm registry. Fails if the behavior has changed.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"private":true,"type":"module"}' >package.json
npm install --silent --no-audit --no-fund --ignore-scripts @openauthjs/openauth@0.4.3 arctic@2.3.4 hono@4.13.19

cat >run.js <<'JS'
import { issuer } from '@openauthjs/openauth'
import { CodeProvider } from '@openauthjs/openauth/provider/code'
import { MemoryStorage } from '@openauthjs/openauth/storage/memory'

console.log = () => undefined // The server logs each request.
let code = ''
const form = async () => new Response('a form')
const anything = { '~standard': { version: 1, vendor: 'example', validate: (value) => ({ value }) } }
const server = issuer({
  storage: MemoryStorage(),
  subjects: { user: anything },
  providers: { code: CodeProvider({ request: form, sendCode: async (_claims, sent) => void (code = sent) }) },
  success: async (ctx, { claims }) => ctx.subject('user', claims)
})

const cookies = new Map()
async function send(url, fields) {
  const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const init = fields ? { method: 'POST', body: new URLSearchParams(fields) } : {}
  const response = await server.fetch(new Request(url, { ...init, headers: { cookie } }))
  for (const text of response.headers.getSetCookie()) cookies.set(...text.split(';')[0].split(/=(.*)/))
  return response
}

const origin = 'http://localhost:3000'
const client = { client_id: 'app', redirect_uri: 'http://localhost:4000/callback' }
await send(`${origin}/authorize?${new URLSearchParams({ ...client, response_type: 'code', state: 'state' })}`)
await send(`${origin}/code/authorize`)
await send(`${origin}/code/authorize`, { action: 'request', email: 'ada@example.com' })
const back = await send(`${origin}/code/authorize`, { action: 'verify', code })
const { searchParams } = new URL(back.headers.get('location'))
const grant = { grant_type: 'authorization_code', code: searchParams.get('code') }
const tokens = await (await send(`${origin}/token`, { ...client, ...grant })).json()
const again = { grant_type: 'refresh_token', refresh_token: tokens.refresh_token }
const refreshed = await (await send(`${origin}/token`, again)).json()

let isSame = true
for (const [name, response] of Object.entries({ code: tokens, 'refresh token': refreshed })) {
  const fields = Object.keys(response).sort().join(', ')
  console.error(`response to the ${name}: ${fields}`)
  if (fields !== 'access_token, expires_in, refresh_token') isSame = false
}
process.exit(isSame ? 0 : 1)
JS
node run.js
