export { createRenderer, type RendererOptions, renderer } from './renderer.ts'
export { en } from './texts/en.ts'
export type { Explanation, Texts, TimeUnit } from './texts/texts.ts'
