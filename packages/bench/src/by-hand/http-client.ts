import { Agent, request } from 'node:http'
import { type Fields, parseFields } from './fields.ts'

const agent = new Agent({ keepAlive: true })
const timeout = 10_000
const maxLength = 1_000_000

/** What is posted to a server. */
export interface Form {
  readonly authorization: string
  readonly fields: URLSearchParams
}

/** Asks a server for JSON. @param form - @defaultValue none: a GET */
export function requestJson(url: string, form: Form | null = null): Promise<Fields> {
  const body = form?.fields.toString() ?? ''
  const headers = form && {
    authorization: form.authorization,
    'content-type': 'application/x-www-form-urlencoded',
    'content-length': Buffer.byteLength(body)
  }
  const options = { agent, timeout, method: form ? 'POST' : 'GET', headers: { accept: 'application/json', ...headers } }
  return new Promise((resolve, reject) => {
    const sent = request(url, options, (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('error', reject)
      response.on('data', (chunk: string) => {
        text += chunk
        if (text.length > maxLength) sent.destroy(new Error(`${url}: the response is too long`))
      })
      response.on('end', () => {
        try {
          if (response.statusCode !== 200) throw new Error(`${url}: expected 200, got ${response.statusCode}`)
          resolve(parseFields(text))
        } catch (error) {
          reject(error)
        }
      })
    })
    sent.on('error', reject)
    sent.on('timeout', () => sent.destroy(new Error(`${url}: no response in ${timeout} ms`)))
    sent.end(body)
  })
}
