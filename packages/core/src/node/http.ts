import { createRequire } from 'node:module'

// An import of node:http reads every export of it, and one of them (WebSocket) loads undici: 10 ms of each start.
const load = createRequire(import.meta.url)

export const http: typeof import('node:http') = load('node:http')
export const https: typeof import('node:https') = load('node:https')
