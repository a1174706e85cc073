// Generates the tables of event types in docs/audit-log.md from the constants of the features.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))
const file = join(root, 'docs/audit-log.md')
const begin = '<!-- The tables are generated: pnpm docs:write -->\n'
const end = '<!-- End of the tables -->\n'

/** The features of `@postern/account` that write events: the folder, and the function. */
const features = {
  'audit-log': 'auditLog()',
  password: 'password()',
  passkey: 'passkey()',
  'second-factor': 'secondFactor()',
  pages: 'accountPages()'
}

const toRow = ([type, { actor, outcome = 'success', text }]) => `| \`${type}\` | ${outcome} | ${actor} | ${text} |\n`

async function createTable([folder, name]) {
  const path = join(root, 'packages/account/dist', folder, 'event-types.js')
  const { eventTypes } = await import(pathToFileURL(path).href)
  const rows = Object.entries(eventTypes).map(toRow).join('')
  return `\n### \`${name}\`\n\n| Type | Outcome | Actor | What happened |\n| --- | --- | --- | --- |\n${rows}`
}

/** @returns The page, with the tables between the two comments. */
export async function auditLogPage() {
  const page = readFileSync(file, 'utf8')
  const [before, rest] = page.split(begin)
  const [, after] = (rest ?? '').split(end)
  if (after === undefined) throw new Error(`${file}: expected the comments around the tables`)
  const tables = await Promise.all(Object.entries(features).map(createTable))
  return `${before}${begin}${tables.join('')}\n${end}${after}`
}
