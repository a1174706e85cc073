// `pnpm docs:write`: generates pages, and parts of pages, from the source and from measurements. Build the packages first.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { errorsPage } from './docs/errors.mjs'
import { auditLogPage } from './docs/events.mjs'
import { licencesPage } from './docs/licences.mjs'
import { optionsPage } from './docs/options.mjs'
import { providersPage } from './docs/providers.mjs'
import { scalingPage } from './docs/scaling.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))

/** The generated pages by path, each with its function. */
export const written = {
  'docs/audit-log.md': auditLogPage,
  'docs/errors.md': errorsPage,
  'docs/licences.md': licencesPage,
  'docs/options.md': optionsPage,
  'docs/providers.md': () => providersPage(join(root, 'packages/core/dist/providers')),
  'docs/scaling.md': scalingPage
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const [file, make] of Object.entries(written)) {
    const page = await make()
    const path = join(root, file)
    if (readFileSync(path, { encoding: 'utf8', flag: 'a+' }) !== page) {
      writeFileSync(path, page)
      console.log(`written: ${file}`)
    }
  }
}
