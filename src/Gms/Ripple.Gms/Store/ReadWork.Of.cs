namespace Ripple.Gms.Store;

/// <summary>Something to be read, and whom to tell.</summary>
internal sealed class ReadWork<T>(Func<SqliteReader, T> read, Action<ReadResult<T>> done) : ReadWork
{
    private ReadResult<T> _result;

    public override void Read(SqliteReader reader) => _result = new(StoreStatus.Done, read(reader), null);

    public override void Fail(StoreStatus status, string reason) => _result = new(status, default, reason);

    public override void Tell()
    {
        ReadResult<T> result = _result;
        // The group this belongs to may be long; what was read may be large.
        _result = default;
        done(result);
    }
}
