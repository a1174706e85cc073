// Generates `docs/licences.md`: the licenses of the packages that are installed with Postern.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { getLicences } from '../licences.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** @returns The page, without versions, which depend on the lockfile of the application. */
export function licencesPage() {
  const names = readdirSync(join(root, 'packages'))
  const getManifest = (name) => JSON.parse(readFileSync(join(root, 'packages', name, 'package.json'), 'utf8'))
  const isPublic = (name) => !getManifest(name).private
  const found = getLicences(names.filter(isPublic).map((name) => join(root, 'packages', name)))
  const bundled = names.flatMap((name) => getManifest(name).bundled?.map((part) => ({ part, name })) ?? [])
  const parts = bundled.map(({ part, name }) => {
    const { license } = JSON.parse(
      readFileSync(join(root, 'packages', name, 'node_modules', part, 'package.json'), 'utf8')
    )
    return `@postern/${name} contains parts of ${part} (${license}). The license text is in its \`LICENSE-${part}\`.\n`
  })
  const lines = [...new Set(found.map(({ name, license }) => `| ${name} | ${license} |`))]
  return `# Licenses

Postern is available under the MIT license. These packages are installed with it. Packages that the application chooses (Fastify,
React, drivers) have their own licenses. \`pnpm docs:write\` generates this page.

| Package | License |
| --- | --- |
${lines.join('\n')}

${parts.join('')}`
}
