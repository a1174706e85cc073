import { nodePrimitives } from './crypto-node.ts'
import type { Primitives } from './crypto-primitives.ts'
import { webPrimitives } from './crypto-web.ts'

/** Uses `node:crypto` if available: it returns synchronously, without the thread pool. */
export const primitives: Primitives = nodePrimitives() ?? webPrimitives
