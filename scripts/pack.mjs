// Packs every public package, checks the files of each tarball, and prints their SHA-256 as sha256sum does.
//   node scripts/pack.mjs FOLDER
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { basename, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { getComplaints, pack } from './rehearse/tarballs.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const [, , folder = 'tarballs'] = process.argv

const run = (command, args, { cwd = root } = {}) =>
  execFileSync(command, args, { cwd, encoding: 'utf8', maxBuffer: 100_000_000 })

for (const { file, files, manifest } of pack(root, resolve(folder), run)) {
  const complaints = getComplaints(files, manifest)
  if (complaints.length > 0) throw new Error(`${manifest.name}:\n${complaints.join('\n')}`)
  console.log(`${createHash('sha256').update(readFileSync(file)).digest('hex')}  ${basename(file)}`)
}
