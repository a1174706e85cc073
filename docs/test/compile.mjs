import { spawnSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { root } from './blocks.mjs'

/** Writes the files of a folder, which has no others then. */
export function writeFolder(folder, files) {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  for (const [name, code] of files) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), code)
  }
}

/** Compiles a folder of modules as an application would, with `changes` of its options. @returns What the compiler says. */
export function compile(folder, files, changes = {}) {
  writeFolder(folder, files)
  const options = {
    target: 'es2023',
    lib: ['es2023', 'dom'],
    module: 'nodenext',
    jsx: 'react-jsx',
    types: ['node'],
    strict: true,
    skipLibCheck: true,
    noEmit: true,
    allowImportingTsExtensions: true,
    moduleDetection: 'force',
    ...changes
  }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: options, include: ['**/*'] }))
  // tap gives every child of a test its own loader, which the compiler cannot live with.
  const tsc = ['-u', 'NODE_OPTIONS', join(root, 'node_modules/.bin/tsc'), '--singleThreaded', '-p', folder]
  const { status, stdout, stderr } = spawnSync('env', tsc, { encoding: 'utf8' })
  return { status, stdout: stdout + stderr }
}
