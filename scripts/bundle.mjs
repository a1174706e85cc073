// Bundles each entry of a package's `exports` into one file, so that startup reads a few files instead of hundreds.
// Code that several entries need is in shared chunks, so that a class exists once. Other packages are external, except
// for those listed in `bundled` of the manifest, of which the used parts are included. An entry listed in `alone`
// shares no chunks, because a chunk would be one more file that each of them reads. With `joined`, all shared code is in one
// chunk, for entries that are mostly used together: otherwise each set of entries has a chunk of its own.
import { existsSync, globSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const folder = 'dist/bundle'

const getManifest = (cwd) => JSON.parse(readFileSync(join(cwd, 'package.json'), 'utf8'))

/** @returns {readonly string[]} The entries in a package's sources; none if its `exports` have no bundle. */
function getEntries(cwd) {
  const { exports = {} } = getManifest(cwd)
  const targets = Object.values(exports).flatMap((target) => target?.default ?? [])
  return targets
    .filter((target) => target.startsWith(`./${folder}/`))
    .map((target) => target.replace(`./${folder}/`, 'src/').replace(/js$/, 'ts'))
    .flatMap((pattern) => globSync(pattern, { cwd }))
    .sort()
}

/** Marks other packages as external, except those in the list. */
function packagesOutside(bundled = []) {
  return {
    name: 'packages outside',
    setup: ({ onResolve }) => {
      onResolve({ filter: /^[^./]/ }, ({ path, kind }) => {
        const isIn = kind === 'entry-point' || bundled.some((name) => path === name || path.startsWith(`${name}/`))
        return isIn ? null : { path, external: true }
      })
      // Only functions that no one calls need it, but splitting goes by files: every entry would get PostgreSQL's columns.
      // As a separate file it is dropped.
      onResolve({ filter: /^\.\/pg-core\/primary-keys\.js$/ }, ({ path, importer }) =>
        basename(importer) === 'relations.js'
          ? { path: resolve(dirname(importer), path), suffix: '?relations', sideEffects: false }
          : null
      )
    }
  }
}

/** Whatever a file imports, directly or not, except what it loads later. */
function getImported(file, inputs, found = new Set()) {
  for (const { path, kind } of inputs[file]?.imports ?? []) {
    if (kind !== 'import-statement' || !(path in inputs) || found.has(path)) continue
    found.add(path)
    getImported(path, inputs, found)
  }
  return found
}

/** Files that are loaded later, by name. */
const getLater = (inputs) =>
  Object.values(inputs).flatMap(({ imports }) =>
    imports.filter(({ path, kind }) => kind === 'dynamic-import' && path in inputs).map(({ path }) => path)
  )

/**
 * Makes what is loaded by name, at once or later, import the same files: a chunk has the files that the same entries import. What
 * no entry imports at once is left where it is.
 */
function importedByAll(entryPoints, inputs, cwd) {
  const loaded = [...new Set([...entryPoints, ...getLater(inputs)])]
  const imported = loaded.map((file) => getImported(file, inputs))
  const atOnce = new Set(entryPoints.flatMap((entry) => [...getImported(entry, inputs)]))
  const shared = [...atOnce].filter((path) => imported.filter((paths) => paths.has(path)).length > 1)
  const entries = loaded.map((entry) => resolve(cwd, entry))
  const imports = shared.map((file) => `import ${JSON.stringify(`joined:${resolve(cwd, file)}`)}\n`).join('')
  return {
    name: 'imported by all',
    setup: ({ onLoad, onResolve }) => {
      onLoad({ filter: /\.tsx?$/ }, ({ path }) =>
        entries.includes(path)
          ? { contents: readFileSync(path, 'utf8') + imports, loader: path.endsWith('x') ? 'tsx' : 'ts' }
          : null
      )
      // Nothing is used of such an import, which would be dropped otherwise.
      onResolve({ filter: /^joined:/ }, ({ path }) => ({ path: path.slice('joined:'.length), sideEffects: true }))
    }
  }
}

/**
 * Fails if a file has a character beyond U+00FF, for which V8 keeps the whole file in twice the memory. esbuild writes such
 * characters of strings as escapes, but not those of regular expressions.
 */
function requireLatin({ path, text }) {
  const [line] = path.endsWith('.js') ? (/^.*[^\0-\xff].*$/m.exec(text) ?? []) : []
  if (line !== undefined) throw new Error(`${path}: expected only characters up to U+00FF: ${line}`)
}

/** The bundles of entries that share chunks. */
async function built(cwd, entryPoints, plugins = []) {
  const { outputFiles, metafile } = await build({
    absWorkingDir: cwd,
    entryPoints,
    outbase: 'src',
    outdir: folder,
    bundle: true,
    splitting: true,
    plugins: [...plugins, packagesOutside(getManifest(cwd).bundled)],
    metafile: true,
    format: 'esm',
    platform: 'node',
    target: 'node22',
    legalComments: 'none',
    sourcemap: 'linked',
    sourcesContent: false,
    chunkNames: 'shared/[hash]',
    write: false
  })
  if (plugins.length > 0 || !getManifest(cwd).joined) return outputFiles
  return built(cwd, entryPoints, [importedByAll(entryPoints, metafile.inputs, cwd)])
}

/** Bundles the package in a folder; exports of other packages are not bundled. */
export async function bundle(cwd) {
  const { alone = [] } = getManifest(cwd)
  const sharing = getEntries(cwd).filter((entry) => !alone.includes(entry))
  const groups = [sharing, ...alone.map((entry) => [entry])].filter((entries) => entries.length > 0)
  const outputFiles = (await Promise.all(groups.map((entries) => built(cwd, entries)))).flat()
  outputFiles.forEach(requireLatin)
  const written = new Set(outputFiles.map(({ path }) => path))
  for (const { path, contents } of outputFiles) {
    mkdirSync(dirname(path), { recursive: true })
    // A test that runs meanwhile reads the old file or the new one, never half of one.
    writeFileSync(`${path}.${process.pid}`, contents)
    renameSync(`${path}.${process.pid}`, path)
  }
  for (const file of globSync(`${folder}/**/*.{js,map}`, { cwd })) {
    if (!written.has(resolve(cwd, file))) rmSync(join(cwd, file))
  }
}

/** @returns {boolean} Whether a package's sources are newer than its bundle. */
function isStale(cwd) {
  const [entry] = getEntries(cwd)
  if (!entry) return false
  const built = join(cwd, entry.replace('src/', `${folder}/`).replace(/ts$/, 'js'))
  if (!existsSync(built)) return true
  const { mtimeMs } = statSync(built)
  // A folder is newer if one of its files was deleted.
  return ['package.json', 'src', ...globSync('src/**', { cwd })].some(
    (path) => statSync(join(cwd, path)).mtimeMs > mtimeMs
  )
}

/** Bundles what has changed, so that tests run the newest sources. */
export async function refresh(root) {
  for (const manifest of globSync('packages/*/package.json', { cwd: root })) {
    const cwd = join(root, dirname(manifest))
    if (!isStale(cwd)) continue
    await bundle(cwd)
    console.error(`bundled ${relative(root, cwd)}`)
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await bundle(process.cwd())
