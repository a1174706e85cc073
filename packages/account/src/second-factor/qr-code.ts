/** A QR code as the path of an SVG image. */
export interface QrCode {
  /** The width and height of the image, in modules. */
  readonly size: number
  readonly path: string
}

/** The quiet zone, in modules. @see ISO/IEC 18004 */
const border = 4

/** Creates the QR code of a text. The package is loaded on first use. */
export async function createQrCode(text: string): Promise<QrCode> {
  const { encode } = await import('uqr')
  const { data, size } = encode(text, { ecc: 'M', border })
  const runs = data.flatMap((row, y) => {
    const text = row.map((isDark) => (isDark ? '1' : '0')).join('')
    return Array.from(text.matchAll(/1+/g), ({ index, 0: { length } }) => `M${index} ${y}h${length}v1h-${length}z`)
  })
  return { size, path: runs.join('') }
}
