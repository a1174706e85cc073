import { gzipSync } from 'node:zlib'
import { build } from 'esbuild-wasm'
import t from 'tap'

const limit = 3100

t.test(`the whole package is under ${limit} bytes, compressed, and needs nothing but react`, async (t) => {
  const { outputFiles, metafile } = await build({
    entryPoints: ['build/src/index.js'],
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    // The files for passkeys are loaded on first use.
    external: ['react', './credentials.js', './passkey.js'],
    write: false,
    metafile: true
  })
  const [file] = outputFiles
  const size = gzipSync(file?.contents ?? '', { level: 9 }).length
  console.log(`${file?.contents.length} bytes minified, ${size} bytes compressed`)
  t.ok(size > 500, `${size} bytes`)
  t.ok(size < limit, `${size} bytes`)
  const imports = Object.values(metafile.outputs).flatMap(({ imports }) => imports)
  const atOnce = imports.filter(({ kind }) => kind === 'import-statement').map(({ path }) => path)
  t.same([...new Set(atOnce)].sort(), ['react', 'react/jsx-runtime'])
  t.notOk(
    Object.keys(metafile.inputs).some((path) => path.includes('core')),
    'the core is types only'
  )
})
