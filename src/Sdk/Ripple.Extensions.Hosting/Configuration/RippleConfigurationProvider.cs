using Microsoft.Extensions.Configuration;
using Ripple.Extensions.Hosting.Connections;

namespace Ripple.Extensions.Hosting.Configuration;

/// <summary>
/// The release in effect, as configuration. The connection outlives the provider: recreating a provider neither leaves nor joins. Values
/// set through <c>IConfiguration</c> go to the other providers: only releases change this one.
/// </summary>
internal sealed class RippleConfigurationProvider(RippleConnection connection) : ConfigurationProvider, IDisposable
{
    private int _isHeld;
    private int _isDisposed;

    public RippleConnection Connection { get; } = connection;

    /// <summary>The providers whose values count more though they stand before this one; null for none.</summary>
    public ProvidersAbove? Above { get; set; }

    /// <summary>Starts the connection if it has not been started, and waits for the start. This is the only wait.</summary>
    public override void Load()
    {
        Hold();
        try
        {
            Connection.Start();
        }
        catch
        {
            LetGo();
            throw;
        }
    }

    /// <summary>Holds the connection if it does not yet.</summary>
    public void Hold()
    {
        if (Volatile.Read(ref _isDisposed) == 0 && Interlocked.Exchange(ref _isHeld, 1) == 0)
        {
            Connection.Attach(this);
        }
    }

    public override bool TryGet(string key, out string? value)
    {
        ReadScope? scope = ReadScope.Current;
        bool isFound = (scope?.ViewOf(Connection) ?? Connection.Current).TryGet(key, out value);
        if (isFound && Above?.Has(key) == true)
        {
            (isFound, value) = (false, null);
        }

        scope?.Note(key, isFound, value);
        return isFound;
    }

    public override IEnumerable<string> GetChildKeys(IEnumerable<string> earlierKeys, string? parentPath)
    {
        ReadScope? scope = ReadScope.Current;
        string[] children = (scope?.ViewOf(Connection) ?? Connection.Current).ChildrenOf(parentPath);
        scope?.Note(parentPath, children);
        var keys = new List<string>(children);
        keys.AddRange(earlierKeys);
        keys.Sort(ConfigurationKeyComparer.Instance.Compare);
        return keys;
    }

    public override void Set(string key, string? value)
    {
        // Only releases change this provider.
    }

    /// <summary>Notifies the listeners; their exceptions propagate.</summary>
    public void RaiseReload() => OnReload();

    public void Dispose()
    {
        Volatile.Write(ref _isDisposed, 1);
        LetGo();
    }

    public override string ToString() => $"Ripple '{Connection.Name}'";

    private void LetGo()
    {
        if (Interlocked.Exchange(ref _isHeld, 0) == 1)
        {
            Connection.Detach(this);
        }
    }
}
