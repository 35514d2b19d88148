using Ripple.Gms.Host.Commands;

return await HostCommand.RunAsync(args).ConfigureAwait(false);
