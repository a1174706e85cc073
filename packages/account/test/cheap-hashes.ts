import { Worker } from 'node:worker_threads'
import { isLong } from '@postern/testkit/long'
import type { HashCall } from '../src/password/hash-threads.ts'

const { postMessage } = Worker.prototype

/** What a hash costs. Memory in KiB. */
export interface HashCost {
  readonly memory: number
  readonly passes: number
  readonly parallelism: number
}

const isHashCall = (message: unknown): message is HashCall =>
  typeof message === 'object' && message !== null && 'module' in message && 'args' in message

/** The same call with the least memory, so that a hash takes no 30 milliseconds of a core, and what it would have cost. */
function makeCheap({ module, name, args }: HashCall): { readonly call: HashCall; readonly cost: HashCost } {
  if (name === 'argon2Sync') {
    const [algorithm, options] = args as [string, HashCost]
    const cheap = { ...options, memory: 8 * options.parallelism, passes: 1 }
    return { call: { module, name, args: [algorithm, cheap] }, cost: options }
  }
  const [password, salt, length, { N, r, p }] = args as [unknown, unknown, number, { N: number; r: number; p: number }]
  const call = { module, name, args: [password, salt, length, { N: 16, r: 1, p: 1 }] }
  return { call, cost: { memory: (N * r * 128) / 1024, passes: p, parallelism: 1 } }
}

/** Hashes take little work from now on. @param onHash - Receives what each would have cost. */
export function countCheapHashes(onHash: (cost: HashCost) => void): void {
  Worker.prototype.postMessage = function (message, ...more) {
    if (!isHashCall(message)) return postMessage.call(this, message, ...more)
    const { call, cost } = makeCheap(message)
    onHash(cost)
    return postMessage.call(this, call, ...more)
  }
}

/** Hashes take little work from now on; in the long run, all of it. Those that are counted stay so. */
export function setCheapHashes(): void {
  if (!isLong && Worker.prototype.postMessage === postMessage) countCheapHashes(() => undefined)
}

/** Undoes the functions above: hashes take all of their work from now on. */
export function setRealHashes(): void {
  Worker.prototype.postMessage = postMessage
}
