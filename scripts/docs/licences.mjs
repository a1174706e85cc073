// The page of the licences of what is installed with our packages.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { licencesOf } from '../licences.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** @returns The whole page; without versions, which the lockfile of the application decides. */
export function licencesPage() {
  const names = readdirSync(join(root, 'packages'))
  const isPublic = (name) => !JSON.parse(readFileSync(join(root, 'packages', name, 'package.json'), 'utf8')).private
  const found = licencesOf(names.filter(isPublic).map((name) => join(root, 'packages', name)))
  const lines = [...new Set(found.map(({ name, licence }) => `| ${name} | ${licence} |`))]
  return `# Licences

Postern is MIT. These packages are installed with it; what an application chooses beside it (Fastify, React, drivers) brings
its own. This page is written by \`pnpm docs:write\`.

| Package | Licence |
| --- | --- |
${lines.join('\n')}
`
}
