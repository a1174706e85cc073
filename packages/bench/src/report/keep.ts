import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const folder = new URL('../../results/', import.meta.url)

/** Writes figures to `results/<name>.json`. @returns The file. */
export function keep(name: string, figures: object): string {
  const file = new URL(`${name}.json`, folder)
  mkdirSync(folder, { recursive: true })
  writeFileSync(file, `${JSON.stringify(figures, null, 2)}\n`)
  return fileURLToPath(file)
}

/** Reads `results/<name>.json`. */
export function readKept(name: string): unknown {
  return JSON.parse(readFileSync(new URL(`${name}.json`, folder), 'utf8'))
}
