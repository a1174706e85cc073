import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createIssuer, type Issuer } from '@postern/testkit'
import { answerParent } from './control.ts'

let issuer: Issuer | null = null

/** An OpenID Provider on a port of this machine, with RS256: what most providers sign with. */
const server = createServer(async (request, response) => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(Buffer.from(chunk))
  const { method = 'GET', url = '/', headers } = request
  const body = method === 'POST' ? Buffer.concat(chunks).toString() : null
  const fields = Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)])
  const answer = await issuer?.fetch(`${issuer.issuer}${url}`, { method, headers: Object.fromEntries(fields), body })
  const text = (await answer?.text()) ?? ''
  const length = { 'content-length': String(Buffer.byteLength(text)) }
  response.writeHead(answer?.status ?? 500, { ...Object.fromEntries(answer?.headers ?? []), ...length }).end(text)
})

function isAddress(address: unknown): address is AddressInfo {
  return typeof address === 'object' && address !== null && 'port' in address
}

server.listen(0, '127.0.0.1', () => {
  const address: unknown = server.address()
  if (!isAddress(address)) throw new Error('expected a port')
  const origin = `http://127.0.0.1:${address.port}`
  const person = {
    sub: 'ada',
    name: 'Ada Lovelace',
    email: 'ada@example.com',
    email_verified: true,
    picture: `${origin}/ada.png`
  }
  issuer = createIssuer({ issuer: origin, alg: 'RS256', person })
  answerParent()
  process.send?.({ port: address.port })
})
