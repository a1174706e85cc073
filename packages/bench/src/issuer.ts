import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createIssuer, type Issuer } from '@postern/testkit'
import { answerParent } from './control.ts'

let issuer: Issuer | null = null

const ada = { sub: 'ada', name: 'Ada Lovelace', email: 'ada@example.com', email_verified: true }

async function respond(request: IncomingMessage): Promise<Response | undefined> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(Buffer.from(chunk))
  const { method = 'GET', url = '/', headers } = request
  const hint = url.startsWith('/authorize?') ? new URLSearchParams(url.slice(url.indexOf('?'))).get('login_hint') : null
  if (issuer && hint !== null) {
    // Whom the visitor names signs in.
    const person = { ...ada, sub: hint, email: `${hint}@example.com`, picture: `${issuer.issuer}/${hint}.png` }
    const location = await issuer.authorize(`${issuer.issuer}${url}`, person)
    return new Response(null, { status: 302, headers: { location } })
  }
  const body = method === 'POST' ? Buffer.concat(chunks).toString() : null
  const fields = Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)])
  return issuer?.fetch(`${issuer.issuer}${url}`, { method, headers: Object.fromEntries(fields), body })
}

/** An OpenID Provider on a port of this machine, with RS256: what most providers sign with. */
const server = createServer(async (request, response) => {
  const found = await respond(request)
  const text = (await found?.text()) ?? ''
  const length = { 'content-length': String(Buffer.byteLength(text)) }
  response.writeHead(found?.status ?? 500, { ...Object.fromEntries(found?.headers ?? []), ...length }).end(text)
})

function isAddress(address: unknown): address is AddressInfo {
  return typeof address === 'object' && address !== null && 'port' in address
}

server.listen(0, '127.0.0.1', () => {
  const address: unknown = server.address()
  if (!isAddress(address)) throw new Error('expected a port')
  const origin = `http://127.0.0.1:${address.port}`
  issuer = createIssuer({ issuer: origin, alg: 'RS256', person: { ...ada, picture: `${origin}/ada.png` } })
  answerParent()
  process.send?.({ port: address.port })
})
