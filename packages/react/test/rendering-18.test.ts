import './use-react-18.ts'
import t from 'tap'

const { testRendering } = await import('./rendering.tsx')
testRendering(t, '18')
