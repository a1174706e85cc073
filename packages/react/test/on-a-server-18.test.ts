import './use-react-18.ts'
import t from 'tap'

const { testServerRendering } = await import('./server-rendering.tsx')
testServerRendering(t, '18')
