// Packs every public package, and compares the tarballs with the expected contents.
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The files that a tarball may contain. */
const expectedDifference = [
  /^package\/(package\.json|README\.md|LICENSE(-[\w-]+)?)$/,
  /^package\/dist\/[\w/.-]+\.(js|d\.ts)(\.map)?$/,
  /^package\/src\/[\w/.-]+\.tsx?$/,
  /^package\/src\/texts\/[\w-]+\.json$/,
  /^package\/src\/logos\/(generated\/[\w-]+\.json|SOURCES\.md)$/,
  /^package\/migrations\/[\w/.-]+\.sql$/
]
const required = ['package/package.json', 'package/README.md', 'package/LICENSE']

/** Every file, or pattern of files, that `exports` or `imports` of the manifest name. */
function getTargets(exports) {
  if (typeof exports === 'string') return [exports.replace('./', 'package/')]
  return exports === null ? [] : Object.values(exports).flatMap(getTargets)
}

/** @returns The problems of one tarball's file list. */
export function getComplaints(files, manifest) {
  const has = new Set(files)
  const isThere = (target) => {
    const [start, end] = target.split('*', 2)
    return end === undefined ? has.has(target) : files.some((file) => file.startsWith(start) && file.endsWith(end))
  }
  const source = (file) => file.replace(/\/dist\/(bundle\/)?/, '/src/').replace(/\.(js|d\.ts)(\.map)?$/, '')
  // What several entries of a bundle need has no one source.
  const isOurs = (file) => file.startsWith('package/dist/') && !file.startsWith('package/dist/bundle/shared/')
  const isStale = (file) => isOurs(file) && !['', '.ts', '.tsx'].some((ending) => has.has(source(file) + ending))
  return [
    ...files
      .filter((file) => !expectedDifference.some((pattern) => pattern.test(file)))
      .map((file) => `not meant to be there: ${file}`),
    ...[...required, ...getTargets(manifest.exports), ...getTargets(manifest.imports ?? {})]
      .filter((target) => !isThere(target))
      .map((target) => `missing: ${target}`),
    ...files.filter(isStale).map((file) => `built from no source: ${file}`)
  ]
}

/**
 * Packs what `packages/` has that is not private.
 *
 * @returns The tarballs, with their manifests as published and their files.
 */
export function pack(root, folder, run) {
  mkdirSync(folder, { recursive: true })
  const getManifest = (name) => JSON.parse(readFileSync(join(root, 'packages', name, 'package.json'), 'utf8'))
  const names = readdirSync(join(root, 'packages')).filter((name) => {
    return existsSync(join(root, 'packages', name, 'package.json')) && !getManifest(name).private
  })
  return names.map((name) => {
    const { version } = getManifest(name)
    const file = join(folder, `postern-${name}-${version}.tgz`)
    run('pnpm', ['pack', '--out', file], { cwd: join(root, 'packages', name) })
    const files = run('tar', ['-tzf', file]).trim().split('\n')
    const manifest = JSON.parse(run('tar', ['-xzOf', file, 'package/package.json']))
    return { file, files, manifest }
  })
}
