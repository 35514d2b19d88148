namespace Ripple.Gms.Store;

/// <summary>A read request with its callback.</summary>
internal sealed class ReadWork<T>(Func<SqliteReader, T> read, Action<ReadResult<T>> done) : ReadWork
{
    private ReadResult<T> _result;

    public override void Read(SqliteReader reader) => _result = new(StoreStatus.Done, read(reader), null);

    public override void Fail(StoreStatus status, string reason) => _result = new(status, default, reason);

    public override void Tell()
    {
        ReadResult<T> result = _result;
        // Frees the result early: the group may be long and the result large.
        _result = default;
        done(result);
    }
}
