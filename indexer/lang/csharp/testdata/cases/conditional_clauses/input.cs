// Branches of conditional compilation that hold clauses, sections of a switch or
// attributes, which the grammar knows in no #if.
namespace Sample
{
    [Fixture]
#if !PORTABLE
    [Category("slow")]
#endif
    public class Wrapper : IDisposable
    {
        private enum State
        {
            Open,
            Closed
        }

        public int Depth
        {
            get
            {
                if (_list != null)
                {
                    return _list.Count;
                }
#if HAVE_READ_ONLY
                else if (_readOnly != null)
                {
                    return _readOnly.Count;
                }
#endif
                else
                {
                    return 0;
                }
            }
            set
            {
                _depth = value;
            }
        }

        internal bool Read(Kind kind)
        {
            switch (kind)
            {
                case Kind.Bytes:
                    ReadBytes();
                    break;
#if HAVE_OFFSET
                case Kind.Offset:
                    ReadOffset();
                    break;
#endif
                default:
                    throw new InvalidOperationException();
            }
            return true;
        }

        void IDisposable.Dispose()
        {
            Release();
        }
    }
}
