using Ripple.Engine.Core;
using Ripple.Engine.Links;

namespace Ripple.Engine.Tests.Nodes;

/// <summary>A connector whose attempts the test ends.</summary>
internal sealed class FakeConnector(CoreLoop core) : ILinkConnector
{
    private Attempt? _attempt;

    /// <summary>What was tried, and when.</summary>
    public List<(string Endpoint, long AtNs)> Attempts { get; } = [];

    public int Cancelled { get; private set; }

    /// <summary>True while an attempt waits for its end.</summary>
    public bool IsUnderWay => _attempt is not null;

    public ILinkConnectAttempt Connect(string endpoint, ILinkConnectResult result)
    {
        Assert.Null(_attempt);
        Attempts.Add((endpoint, core.NowNs));
        _attempt = new Attempt(this, result);
        return _attempt;
    }

    public void Succeed(ILink link) => Take().OnConnected(link);

    public void Fail(LinkConnectFailure failure, string text, string? leader = null) => Take().OnConnectFailed(failure, text, leader);

    private ILinkConnectResult Take()
    {
        Assert.NotNull(_attempt);
        ILinkConnectResult result = _attempt.Result;
        _attempt = null;
        return result;
    }

    private sealed class Attempt(FakeConnector connector, ILinkConnectResult result) : ILinkConnectAttempt
    {
        public ILinkConnectResult Result { get; } = result;

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
