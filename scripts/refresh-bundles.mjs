// Runs before the tests of each package.
import { fileURLToPath } from 'node:url'
import { refresh } from './bundle.mjs'

await refresh(fileURLToPath(new URL('..', import.meta.url)))
