import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePort } from '@postern/testkit'
import react from '@vitejs/plugin-react'
import { build } from 'vite'
import type { Mail } from '../src/mail-server.ts'
import { type Running, startServer } from '../src/server.ts'
import { type Front, isClustered, startClustered } from './cluster.ts'

// Vite would set `production`, for the server in this process too.
process.env['NODE_ENV'] ??= 'test'

/** The folder of the example: the tests run in `build/test`. */
export const here: string = fileURLToPath(new URL('../..', import.meta.url))

export type ReactMajor = '18' | '19'

/** Builds pages with Vite, into a separate folder. */
export async function buildPages(root: string, names: readonly string[], major: ReactMajor = '19'): Promise<string> {
  const outDir = mkdtempSync(join(here, 'build/pages-'))
  const find = /^(react|react-dom)(?=\/|$)/
  await build({
    configFile: false,
    logLevel: 'error',
    root: join(here, root),
    plugins: [react()],
    resolve: major === '18' ? { alias: [{ find, replacement: '$1-18' }] } : {},
    // next-auth's client expects the environment of Next.js; a page has none.
    define: Object.fromEntries(
      ['NEXTAUTH_URL', 'NEXTAUTH_URL_INTERNAL', 'VERCEL_URL'].map((name) => [`process.env.${name}`, 'undefined'])
    ),
    build: { outDir, emptyOutDir: true, rolldownOptions: { input: names.map((name) => join(here, root, name)) } }
  })
  return outDir
}

export interface Started extends Running {
  /** The link in the newest mail to an address. */
  readonly linkFor: (address: string) => string
  /** The code in the newest mail to an address. */
  readonly codeFor: (address: string) => string
}

/** Starts the example on free ports: one process of it, or two with `POSTERN_CLUSTER=1`. */
export async function start(pages: string): Promise<Started> {
  const mails: Mail[] = []
  // The redirect URI of the provider has to be known before the application listens.
  const front: Front = { port: await freePort(), pages, onMail: (mail) => void mails.push(mail) }
  const server = isClustered
    ? await startClustered(front)
    : await startServer({ ...front, issuerPort: 0, smtpPort: 0, logLevel: 'silent' })
  const find = (address: string, pattern: RegExp): string => {
    const mail = mails.findLast(({ to }) => to === address)
    const [found] = pattern.exec(mail?.text ?? '') ?? []
    if (!found) throw new Error(`expected a mail with ${pattern} for ${address}`)
    return found
  }
  return {
    ...server,
    linkFor: (address) => find(address, /http:\/\/\S+/),
    codeFor: (address) => find(address, /^[B-Z]{4}-[B-Z]{4}$/m)
  }
}
