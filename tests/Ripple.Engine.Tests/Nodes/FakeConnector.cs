using Ripple.Engine.Core;

namespace Ripple.Engine.Tests.Nodes;

/// <summary>A connector whose attempts the test ends.</summary>
internal sealed class FakeConnector(CoreLoop core) : IControlConnector
{
    private Attempt? _attempt;

    /// <summary>What was tried, and when.</summary>
    public List<(string Endpoint, long AtNs)> Attempts { get; } = [];

    public int Cancelled { get; private set; }

    /// <summary>True while an attempt waits for its end.</summary>
    public bool IsUnderWay => _attempt is not null;

    public IControlConnectAttempt Connect(string endpoint, IControlConnectResult result)
    {
        Assert.Null(_attempt);
        Attempts.Add((endpoint, core.NowNs));
        _attempt = new Attempt(this, result);
        return _attempt;
    }

    public void Succeed(IControlLink link) => Take().OnConnected(link);

    public void Fail(ControlConnectFailure failure, string text) => Take().OnConnectFailed(failure, text);

    private IControlConnectResult Take()
    {
        Assert.NotNull(_attempt);
        IControlConnectResult result = _attempt.Result;
        _attempt = null;
        return result;
    }

    private sealed class Attempt(FakeConnector connector, IControlConnectResult result) : IControlConnectAttempt
    {
        public IControlConnectResult Result { get; } = result;

        public void Cancel()
        {
            if (ReferenceEquals(connector._attempt, this))
            {
                connector._attempt = null;
                connector.Cancelled++;
            }
        }
    }
}
