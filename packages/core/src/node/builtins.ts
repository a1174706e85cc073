import { createRequire } from 'node:module'

// An `import` reads every export, which is slow: that of node:http includes WebSocket, which loads undici (10 ms of
// each start); the others cost 0.2 to 0.5 ms each.
const load = createRequire(import.meta.url)

export const http: typeof import('node:http') = load('node:http')
export const https: typeof import('node:https') = load('node:https')
export const net: typeof import('node:net') = load('node:net')
export const dns: typeof import('node:dns') = load('node:dns')
export const tls: typeof import('node:tls') = load('node:tls')
