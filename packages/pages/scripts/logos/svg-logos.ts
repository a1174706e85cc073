import icons from '@iconify-json/logos/icons.json' with { type: 'json' }
import manifest from '@iconify-json/logos/package.json' with { type: 'json' }
import { shortened } from './path.ts'

interface Icon {
  readonly body: string
  readonly width?: number
  readonly height?: number
}

interface Shape {
  readonly d: string
  readonly fill?: string
}

const all: Readonly<Record<string, Icon>> = icons.icons

/** The version of SVG Logos that is drawn from. */
export const svgLogosVersion: string = manifest.version

/** The color of a gradient at its middle. */
function getMiddleColor(body: string, id: string): string {
  const gradient = new RegExp(`id="${id}".*?</linearGradient>`, 's').exec(body)?.[0] ?? ''
  const stops = [...gradient.matchAll(/offset="([\d.]+)%" stop-color="#([\da-f]{6})"/g)].map(([, offset, color]) => ({
    offset: Number(offset),
    channels: [0, 2, 4].map((at) => Number.parseInt((color ?? '').slice(at, at + 2), 16))
  }))
  const before = stops.findLast(({ offset }) => offset <= 50)
  const after = stops.find(({ offset }) => offset >= 50)
  if (!before || !after) throw new Error(`no gradient ${id}`)
  const share = before === after ? 0 : (50 - before.offset) / (after.offset - before.offset)
  const mixed = before.channels.map((from, at) => Math.round(from + ((after.channels[at] ?? 0) - from) * share))
  return `#${mixed.map((value) => value.toString(16).padStart(2, '0')).join('')}`
}

const drawCircle = (x: number, y: number, r: number): string =>
  `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0z`

function* getShapes(body: string): Generator<Shape> {
  for (const [, tag, attributes = ''] of body.matchAll(/<(path|circle) ([^>]*)\/>/g)) {
    const { d, cx, cy, r, fill } = Object.fromEntries(
      [...attributes.matchAll(/([a-z]+)="([^"]*)"/g)].map(([, name = '', value = '']) => [name, value])
    )
    const [, gradient] = /^url\(#(.+)\)$/.exec(fill ?? '') ?? []
    const color = gradient ? getMiddleColor(body, gradient) : fill === '#fff' ? '#ffffff' : fill
    const path = tag === 'circle' ? drawCircle(Number(cx), Number(cy), Number(r)) : d
    if (!path) throw new Error(`nothing to draw: ${attributes}`)
    yield { d: shortened(path, 0), ...(color && { fill: color === 'red' ? '#ff0000' : color }) }
  }
}

/** Part of a drawing: its first paths, and the size of the field that they fill. */
export interface SvgLogoPart {
  readonly paths: number
  readonly width: number
  readonly height: number
}

/** Draws a logo of SVG Logos, or a part of it, in the middle of a square field. */
export function drawSvgLogo(name: string, part: SvgLogoPart | null): object {
  const logo = all[name]
  if (!logo) throw new Error(`SVG Logos ${svgLogosVersion} has no ${name}`)
  const shapes = [...getShapes(logo.body)].slice(0, part?.paths)
  const { width = 256, height = 256 } = part ?? logo
  const size = Math.max(width, height)
  const origin = width === height ? {} : { origin: [(width - size) / 2, (height - size) / 2] }
  const [first] = shapes
  // A single color is changed where it cannot be seen; several belong together.
  const color = first?.fill !== undefined && shapes.every(({ fill }) => fill === first.fill) ? first.fill : null
  const plain = color === null ? shapes : shapes.map(({ d }) => ({ d }))
  return { size, ...origin, color, button: null, shapes: plain }
}
