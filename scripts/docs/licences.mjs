// The page of the licences of what is installed with our packages.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { licencesOf } from '../licences.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** @returns The whole page; without versions, which the lockfile of the application decides. */
export function licencesPage() {
  const names = readdirSync(join(root, 'packages'))
  const manifestOf = (name) => JSON.parse(readFileSync(join(root, 'packages', name, 'package.json'), 'utf8'))
  const isPublic = (name) => !manifestOf(name).private
  const found = licencesOf(names.filter(isPublic).map((name) => join(root, 'packages', name)))
  const bundled = names.flatMap((name) => manifestOf(name).bundled?.map((part) => ({ part, name })) ?? [])
  const parts = bundled.map(({ part, name }) => {
    const { license } = JSON.parse(readFileSync(join(root, 'packages', name, 'node_modules', part, 'package.json'), 'utf8'))
    return `@postern/${name} holds parts of ${part}, which is ${license}: the text is in its \`LICENSE-${part}\`.\n`
  })
  const lines = [...new Set(found.map(({ name, licence }) => `| ${name} | ${licence} |`))]
  return `# Licences

Postern is MIT. These packages are installed with it; what an application chooses beside it (Fastify, React, drivers) brings
its own. This page is written by \`pnpm docs:write\`.

| Package | Licence |
| --- | --- |
${lines.join('\n')}

${parts.join('')}`
}
