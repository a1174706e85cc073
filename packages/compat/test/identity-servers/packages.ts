import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'

const cache = fileURLToPath(new URL('../../../../../node_modules/.cache/postern-identity-servers', import.meta.url))

/** Imports a module of the installed packages. */
export type Import = (specifier: string) => Promise<Readonly<Record<string, unknown>>>

/**
 * Installs packages from the npm registry into a folder of their own, once on a machine. They are too large to be a part of
 * each installation of this repository.
 *
 * @param packages - By name, with the exact version.
 */
export async function installPackages(name: string, packages: Readonly<Record<string, string>>): Promise<Import> {
  const folder = join(cache, [name, ...Object.values(packages)].join('-'))
  if (!existsSync(folder)) {
    const unfinished = `${folder}.${process.pid}`
    mkdirSync(unfinished, { recursive: true })
    const manifest = { private: true, type: 'module', dependencies: packages }
    writeFileSync(join(unfinished, 'package.json'), JSON.stringify(manifest))
    // Only a module in the folder imports what is installed there.
    writeFileSync(join(unfinished, 'index.js'), 'export const load = (specifier) => import(specifier)\n')
    const options = ['install', '--no-audit', '--no-fund', '--legacy-peer-deps', '--prefer-offline', '--ignore-scripts']
    await promisify(execFile)('npm', options, { cwd: unfinished })
    try {
      renameSync(unfinished, folder)
    } catch {
      // Another process was faster.
      rmSync(unfinished, { recursive: true })
    }
  }
  const { load }: { load: Import } = await import(pathToFileURL(join(folder, 'index.js')).href)
  return load
}

/** The packages of saml-jackson, for the test and its server. */
export const jacksonPackages = { '@boxyhq/saml-jackson': '26.2.0', '@boxyhq/saml20': '1.13.2' } as const
