import type { Asset } from '../model/renderer.ts'

/** A script of a feature as a file. */
export interface ScriptAsset {
  readonly name: string
  readonly asset: Asset
}

/** FNV-1a with 64 bits. It names a file after its content, and protects nothing. */
function contentHash(text: string): string {
  let hash = 0xcbf29ce484222325n
  for (const byte of new TextEncoder().encode(text)) hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n)
  return hash.toString(16).padStart(16, '0')
}

/** @returns The file of a script, whose name changes with its content; none without a script. */
export function createScriptAssets(featureId: string, script: string | undefined): readonly ScriptAsset[] {
  if (script === undefined) return []
  const asset = { contentType: 'text/javascript; charset=utf-8', body: script }
  return [{ name: `${featureId}-${contentHash(script)}.js`, asset }]
}
