import type { Asset } from '../model/renderer.ts'

/** A script of a feature as a file. */
export interface ScriptAsset {
  readonly name: string
  readonly asset: Asset
}

/** FNV-1a with 64 bits, as two numbers of 32 bits. It names a file after its content, and protects nothing. */
function contentHash(text: string): string {
  let [high, low] = [0xcbf29ce4, 0x84222325]
  for (const byte of new TextEncoder().encode(text)) {
    const mixed = (low ^ byte) >>> 0
    // The prime is 2 ** 40 + 0x1b3.
    const product = mixed * 0x1b3
    high = (high * 0x1b3 + Math.floor(product / 2 ** 32) + mixed * 2 ** 8) % 2 ** 32
    low = product % 2 ** 32
  }
  return [high, low].map((half) => half.toString(16).padStart(8, '0')).join('')
}

/** The names of scripts: every application with a feature has the same. */
const hashes = new Map<string, string>()

/** @returns The file of a script, whose name changes with its content; none without a script. */
export function createScriptAssets(featureId: string, script: string | undefined): readonly ScriptAsset[] {
  if (script === undefined) return []
  const asset = { contentType: 'text/javascript; charset=utf-8', body: script }
  const hash = hashes.get(script) ?? contentHash(script)
  hashes.set(script, hash)
  return [{ name: `${featureId}-${hash}.js`, asset }]
}
