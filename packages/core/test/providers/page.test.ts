import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import t from 'tap'

const root = join(import.meta.dirname, '../../../../..')

interface Script {
  readonly providersPage: (folder: string) => Promise<string>
}

t.test('the page of all providers is generated from the modules', async (t) => {
  const script: Script = await import(pathToFileURL(join(root, 'scripts/docs/providers.mjs')).href)
  const page = await script.providersPage(join(import.meta.dirname, '../../src/providers'))
  const [, listed = ''] = page.split('## All providers')
  const [providers = '', compared = ''] = listed.split('## Compared')
  for (const table of [providers, compared.split('\n## ', 1)[0] ?? '']) t.equal(table.match(/^\| `/gm)?.length, 94)
  t.equal(page, readFileSync(join(root, 'docs/providers.md'), 'utf8'), 'run pnpm docs:write')
})
