import theme from 'vitepress/theme';
import './brooklet.css';

export default theme;
