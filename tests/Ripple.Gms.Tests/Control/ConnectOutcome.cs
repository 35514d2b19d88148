using Ripple.Engine.Core;

namespace Ripple.Gms.Tests.Control;

internal sealed class ConnectOutcome(Func<IControlLink, TestHandler> makeHandler) : IControlConnectResult
{
    public TaskCompletionSource Done { get; } = new(TaskCreationOptions.RunContinuationsAsynchronously);

    public TestHandler? Handler { get; private set; }

    public ControlConnectFailure? Failure { get; private set; }

    public string Text { get; private set; } = "";

    public void OnConnected(IControlLink link)
    {
        Handler = makeHandler(link);
        link.Handler = Handler;
        Done.SetResult();
    }

    public void OnConnectFailed(ControlConnectFailure failure, string text)
    {
        Failure = failure;
        Text = text;
        Done.SetResult();
    }
}
