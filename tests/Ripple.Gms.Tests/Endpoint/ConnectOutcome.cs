using Ripple.Engine.Links;

namespace Ripple.Gms.Tests.Endpoint;

internal sealed class ConnectOutcome(Func<ILink, TestHandler> makeHandler) : ILinkConnectResult
{
    public TaskCompletionSource Done { get; } = new(TaskCreationOptions.RunContinuationsAsynchronously);

    public TestHandler? Handler { get; private set; }

    public LinkConnectFailure? Failure { get; private set; }

    public string Text { get; private set; } = "";

    public void OnConnected(ILink link)
    {
        Handler = makeHandler(link);
        link.Handler = Handler;
        Done.SetResult();
    }

    public void OnConnectFailed(LinkConnectFailure failure, string text, string? leader)
    {
        Failure = failure;
        Text = text;
        Done.SetResult();
    }
}
