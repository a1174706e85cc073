/** Brands whose guidelines define the sign-in button. */
export type BrandButton = 'apple' | 'facebook' | 'google' | 'microsoft'

interface Colors {
  readonly fill: string
  readonly edge: string
  readonly text: string
}

type Schemes = { readonly [S in 'light' | 'dark']: Colors }

/**
 * Their published colors: Google's light and dark theme, Apple's white button (the black one is not allowed on dark
 * pages), Facebook's blue with white, Microsoft's light and dark theme.
 */
export const brandButtons: { readonly [B in BrandButton]: Schemes } = {
  apple: {
    light: { fill: '#ffffff', edge: '#000000', text: '#000000' },
    dark: { fill: '#ffffff', edge: '#ffffff', text: '#000000' }
  },
  facebook: {
    light: { fill: '#0866ff', edge: '#0866ff', text: '#ffffff' },
    dark: { fill: '#0866ff', edge: '#0866ff', text: '#ffffff' }
  },
  google: {
    light: { fill: '#ffffff', edge: '#747775', text: '#1f1f1f' },
    dark: { fill: '#131314', edge: '#8e918f', text: '#e3e3e3' }
  },
  microsoft: {
    light: { fill: '#ffffff', edge: '#8c8c8c', text: '#5e5e5e' },
    dark: { fill: '#2f2f2f', edge: '#2f2f2f', text: '#ffffff' }
  }
}

const selector = (state: string): string =>
  Object.keys(brandButtons)
    .map((brand) => `.button-${brand}${state}`)
    .join(',')

/**
 * One rule per brand, with `light-dark()` for the schemes; browsers without it show the plain button.
 *
 * Hover and active states add a gray overlay, because the guidelines define no other color.
 */
export const brandButtonRules: string = [
  ...Object.entries(brandButtons).map(([brand, { light, dark }]) => {
    const either = (name: keyof Colors): string => `light-dark(${light[name]},${dark[name]})`
    const colors = `color:${either('text')};background-color:${either('fill')};border-color:${either('edge')}`
    return `.button-${brand},.button-${brand}:hover,.button-${brand}:active{${colors}}`
  }),
  `${selector(':hover')}{background-image:linear-gradient(#8080801f,#8080801f)}`,
  `${selector(':active')}{background-image:linear-gradient(#80808038,#80808038)}`
].join('')
