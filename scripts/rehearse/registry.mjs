// A registry on this machine that has the packed packages and nothing else, so that they install as from npm.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { basename } from 'node:path'

/**
 * Serves tarballs under `/<name>` and `/-/<file>`, as far as npm, pnpm and yarn ask.
 *
 * @param {readonly { file: string, manifest: { name: string, version: string } }[]} packed
 * @returns {Promise<{ address: string, close: () => void }>}
 */
export async function serveRegistry(packed) {
  const getDocument = ({ file, manifest }, origin) => {
    const tarball = readFileSync(file)
    const dist = {
      tarball: `${origin}/-/${basename(file)}`,
      shasum: createHash('sha1').update(tarball).digest('hex'),
      integrity: `sha512-${createHash('sha512').update(tarball).digest('base64')}`
    }
    const { name, version } = manifest
    // Package managers with a minimum release age read the time.
    const published = '2026-01-01T00:00:00.000Z'
    return {
      name,
      'dist-tags': { latest: version },
      time: { created: published, modified: published, [version]: published },
      versions: { [version]: { ...manifest, dist } }
    }
  }
  const server = createServer((request, response) => {
    const path = decodeURIComponent((request.url ?? '/').split('?', 1)[0] ?? '/')
    const requested = packed.find(
      ({ file, manifest }) => path === `/${manifest.name}` || path === `/-/${basename(file)}`
    )
    if (!requested) return response.writeHead(404).end('{}')
    if (path.startsWith('/-/')) return response.end(readFileSync(requested.file))
    const document = JSON.stringify(getDocument(requested, `http://127.0.0.1:${server.address().port}`))
    return response.writeHead(200, { 'content-type': 'application/json' }).end(document)
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)))
  return {
    address: `http://127.0.0.1:${server.address().port}/`,
    close: () => {
      server.closeAllConnections()
      server.close()
    }
  }
}
