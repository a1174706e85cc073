// A browser of the tests over HTTP, and programs of the pages that listen.
import { spawn } from 'node:child_process'
import { request as httpRequest } from 'node:http'
import { settings } from './blocks.mjs'

/** Sends the requests of a browser over HTTP. @param localAddress - The address that they come from, of loopback. */
export const sendFrom =
  (localAddress = '127.0.0.1') =>
  ({ method, origin, url, headers, body }) =>
    new Promise((resolve, reject) => {
      const { port, host } = new URL(origin)
      const options = { host: '127.0.0.1', port, localAddress, method, path: url, agent: false }
      const request = httpRequest({ ...options, headers: { ...headers, host } }, (response) => {
        const chunks = []
        response.on('data', (chunk) => chunks.push(chunk))
        response.on('end', () => {
          resolve({ status: response.statusCode, headers: response.headers, body: Buffer.concat(chunks).toString() })
        })
      })
      request.once('error', reject)
      request.end(body)
    })

/** Whether a server at the port answers. */
export function isServing(port) {
  return new Promise((resolve) => {
    const request = httpRequest({ host: '127.0.0.1', port, path: '/', agent: false })
    request.once('error', () => resolve(false))
    request.once('response', (response) => resolve(response.resume() !== null))
    request.end()
  })
}

/** Starts a program that listens, and waits until it serves. @returns What it said, and a function that ends it. */
export async function startProgram(t, file, { port, cwd, env = {} }) {
  const child = spawn(process.execPath, [file], { cwd, env: { ...process.env, ...settings, ...env } })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (said += text))
  const isOver = new Promise((resolve) => child.once('exit', (code, signal) => resolve({ code, signal })))
  const timer = { id: null }
  const end = () => {
    child.kill('SIGTERM')
    timer.id ??= setTimeout(() => child.kill('SIGKILL'), 30_000)
    return isOver.finally(() => clearTimeout(timer.id))
  }
  t.teardown(end)
  const until = Date.now() + 60_000
  while (!(await isServing(port))) {
    if (child.exitCode !== null || Date.now() > until) throw new Error(`${file} does not serve: ${said}`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  return { end, getOutput: () => said }
}
